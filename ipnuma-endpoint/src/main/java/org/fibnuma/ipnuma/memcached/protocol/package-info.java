/** Request lines of memcached's text protocol: tokens, numbers as C reads them, and the flags of meta commands. */
package org.fibnuma.ipnuma.memcached.protocol;
