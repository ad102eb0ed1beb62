/**
 * What becomes of frames, counted: received = delivered + arp + all drops. Written by the endpoint's thread, read by
 * other processes in the counters file.
 */
package org.fibnuma.ipnuma.fate;
