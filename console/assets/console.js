// Updates the page by itself, and gives keys to the buttons that name one. Without this script everything works by forms.

const main = document.querySelector("main");

async function refresh(seconds) {
  const busy = document.hidden || main.contains(document.activeElement) && document.activeElement !== main;
  if (!busy) {
    try {
      const answer = await fetch(location.href, { headers: { "x-refresh": "1" }, cache: "no-store" });
      if (answer.redirected) {
        location.reload();
        return;
      }
      if (answer.ok) {
        const next = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
        if (next && next.innerHTML !== main.innerHTML) {
          if (!next.dataset.refresh) {
            location.reload();
            return;
          }
          main.replaceChildren(...next.childNodes);
        }
      }
    } catch {
      // The console is away: the next try may find it again.
    }
  }
  setTimeout(refresh, seconds * 1000, seconds);
}

const seconds = Number(main?.dataset.refresh ?? 0);
if (seconds > 0) {
  setTimeout(refresh, seconds * 1000, seconds);
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select");
  if (event.key === "Escape" && typing) {
    typing.blur();
    return;
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) {
    return;
  }
  const key = CSS.escape(event.key.toLowerCase());
  const field = document.querySelector(`[data-focus="${key}"]`);
  const button = document.querySelector(`[data-key="${key}"]`);
  if (field || button) {
    event.preventDefault();
    field ? field.focus() : button.click();
  }
});
