// Tells in one sentence that a browser is too old for the code of the pages. It is written so that such a browser can
// read it: in the JavaScript of 2009. The three marks came with the versions that pwa/browsers.ts names, or shortly
// before them: modules in all, units of the visible height with Chrome 108, streams that compress with Firefox 113 and
// iOS 16.4.
if (
  !('noModule' in document.createElement('script')) ||
  !window.CSS ||
  !CSS.supports('height', '100dvh') ||
  !window.CompressionStream
) {
  document.body.insertAdjacentHTML(
    'afterbegin',
    '<p class="old-browser" role="alert">Ваш браузер слишком старый для Подиума: обновите его или откройте эту страницу в новой версии Chrome, Яндекс Браузера, Firefox или Safari.</p>'
  );
}
