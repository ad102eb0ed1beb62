/**
 * What a worker of a router with lossless priorities has beside the stages of every router: one
 * {@link org.fibnuma.fibnic.lossless.LosslessPort} for each port, which brings the classes of {@code org.fibnuma.pfc}
 * together, and the counters that others read. Nothing of this exists in a router without.
 */
package org.fibnuma.fibnic.lossless;
