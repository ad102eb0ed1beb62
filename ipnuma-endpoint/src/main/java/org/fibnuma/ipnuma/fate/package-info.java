/**
 * Counters of the dispositions of frames: received = delivered + arp + all drops. The endpoint's thread writes them,
 * other processes read them in the counters file.
 */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.fate;
