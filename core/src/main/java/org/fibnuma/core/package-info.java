/**
 * What every part of Fibnuma stands on: frames as native addresses, the wire formats of the field, rings, ports,
 * agents and counters. Nothing here calls the operating system; what must is reached through the service
 * interfaces {@link org.fibnuma.core.port.PortProvider}, {@link org.fibnuma.core.memory.PageSource},
 * {@link org.fibnuma.core.agent.ThreadPinning} and {@link org.fibnuma.core.kernel.KernelNetworkProvider}, which the
 * binding module provides at run time.
 */
package org.fibnuma.core;
