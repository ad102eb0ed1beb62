/**
 * Page windows: stores into local pages become writes into regions of peers, for applications on the endpoint's thread.
 * {@link org.fibnuma.ipnuma.window.PageWindow} gathers them like a processor's write-combining buffer.
 */
package org.fibnuma.ipnuma.window;
