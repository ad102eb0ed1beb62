/**
 * The forwarding plane without a control plane, for whoever fills the tables itself: the warm-up, benches, tests.
 */
package org.fibnuma.fibnic.plane;
