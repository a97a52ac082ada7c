// Load this page again once the preview was built anew. Only a page that is looked at asks: a
// browser opens few connections to one host, and each that waits takes one of them.
{
  const { after } = document.currentScript.dataset;
  const pause = () => new Promise((go) => setTimeout(go, 1000));
  const shown = () => new Promise((go) => {
    if (document.hidden) document.addEventListener("visibilitychange", go, { once: true });
    else go();
  });
  const wait = async () => {
    for (;;) {
      await shown();
      const asked = new AbortController();
      const { signal } = asked;
      document.addEventListener("visibilitychange", () => asked.abort(), { once: true, signal });
      try {
        const answer = await fetch(`/-/built?after=${after}`, { cache: "no-store", signal });
        if (answer.status === 200) {
          location.reload();
          return;
        }
      } catch {
        if (!signal.aborted) await pause(); // the server has ended, or the machine was asleep
      }
      asked.abort();
    }
  };
  wait();
}
