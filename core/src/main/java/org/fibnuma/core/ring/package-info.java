/**
 * The ring that all modules use: frame descriptors from one producer thread to one consumer thread, over any memory
 * that an Agrona buffer can wrap. Egress FIFOs and the memory ports use it.
 */
package org.fibnuma.core.ring;
