/**
 * The rings that all modules use, each from one producer thread to one consumer thread, over any memory that an Agrona
 * buffer can wrap: frame descriptors ({@link org.fibnuma.core.ring.DescriptorRing}, in egress FIFOs and the memory
 * ports), and records of some bytes between two processes ({@link org.fibnuma.core.ring.LineRingProducer},
 * {@link org.fibnuma.core.ring.LineRingConsumer}).
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.ring;
