/**
 * {@code fault:} ports: another port with a bad network before it, for tests and demonstrations. Which frames are lost,
 * repeated, reordered, spoiled or delayed a seed decides.
 */
package org.fibnuma.core.port.fault;
