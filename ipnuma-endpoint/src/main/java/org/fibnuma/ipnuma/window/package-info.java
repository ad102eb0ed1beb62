/**
 * Page windows: stores into local memory pages become writes into regions of peers, for applications on the endpoint's
 * thread. {@link org.fibnuma.ipnuma.window.PageWindow} gathers them as a processor's write-combining buffer does.
 */
package org.fibnuma.ipnuma.window;
