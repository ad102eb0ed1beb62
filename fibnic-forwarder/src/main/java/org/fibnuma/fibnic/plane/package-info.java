/**
 * The forwarding plane without a control plane, for code that fills the tables itself: warm-up, benchmarks, tests.
 */
package org.fibnuma.fibnic.plane;
