/**
 * The forwarding plane without a control plane, for code that fills the tables itself: warm-up, benchmarks, tests.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.plane;
