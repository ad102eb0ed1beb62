/**
 * The eight priorities of a link: which one a frame has, what an ingress port holds of each, which ones the peer has
 * stopped, and what is counted of all that. Times come in as nanoseconds of a monotonic clock; nothing here reads one.
 */
package org.fibnuma.pfc.priority;
