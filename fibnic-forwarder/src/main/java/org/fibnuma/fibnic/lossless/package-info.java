/**
 * The parts of a router with lossless priorities: one {@link org.fibnuma.fibnic.lossless.LosslessPort} for each port,
 * which combines the classes of {@code org.fibnuma.pfc}, two stages of the data path, and published counters. A router
 * without lossless priorities does not create any of them.
 */
package org.fibnuma.fibnic.lossless;
