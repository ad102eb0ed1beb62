/**
 * The one ring of the house: frame descriptors from one producer thread to one consumer thread, over any memory that
 * an Agrona buffer can wrap. Egress FIFOs and the memory ports are made of it.
 */
package org.fibnuma.core.ring;
