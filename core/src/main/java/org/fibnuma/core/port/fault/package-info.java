/**
 * {@code fault:} ports: another port behind a simulated bad network, for tests and demonstrations. A seed determines
 * which frames are lost, duplicated, reordered, corrupted or delayed.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.port.fault;
