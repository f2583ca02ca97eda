/** The page before anything is known; every text that comes later is put in as text. */
export const pageDocument = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reference server</title>
<link rel="stylesheet" href="/_page/style.css">
<script src="/_page/script.js" defer></script>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header>
  <h1>Reference server <span id="place" class="dim"></span></h1>
  <nav aria-label="Views"><a href="#live" id="to-live">Live</a> <a href="#api" id="to-api">API</a></nav>
  <p id="connection" class="connection" role="status">Not connected</p>
</header>
<main id="main" tabindex="-1">
  <p id="note" role="alert" hidden></p>
  <form id="key-form" class="row" hidden>
    <label>API key <input id="key" type="password" autocomplete="off" required></label>
    <button>Connect</button>
  </form>
  <div id="live" class="columns">
    <section aria-labelledby="webhooks-title">
      <h2 id="webhooks-title">Webhooks</h2>
      <form id="create" class="row">
        <label class="wide">URL <input id="url" type="url" placeholder="https://127.0.0.1:8443/webhooks" required></label>
        <label>Events <select id="create-type"><option value="">every event</option></select></label>
        <label>Inbox <select id="create-inbox"><option value="">every inbox</option></select></label>
        <button>Create</button>
      </form>
      <p id="created" class="created" role="status" hidden></p>
      <div id="webhooks"></div>
    </section>
    <section aria-labelledby="events-title">
      <h2 id="events-title">Events</h2>
      <form id="send" class="row">
        <label>Event <select id="send-type"><option value="">one of each</option></select></label>
        <label>Inbox <select id="send-inbox"></select></label>
        <button>Send</button>
      </form>
      <form class="row">
        <label>Show <select id="shown-type"><option value="">every event</option></select></label>
        <span id="count" class="dim" role="status"></span>
      </form>
      <div id="events"></div>
    </section>
  </div>
  <div id="api" hidden></div>
</main>
<noscript><p>The page needs JavaScript.</p></noscript>
</body>
</html>
`
