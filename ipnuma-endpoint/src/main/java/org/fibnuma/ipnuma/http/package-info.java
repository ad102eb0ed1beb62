/**
 * The HTTP service of an endpoint: metrics, health and the live web page, whose HTML and scripts are resources beside
 * this package. Those that it shares with the router's web page are in {@link org.fibnuma.core.service.page}.
 * Everything runs on the thread of the server, which reads the published counters. The endpoint's thread does no extra
 * work.
 */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.http;
