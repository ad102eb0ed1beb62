/**
 * Foundation of all modules: frames as native addresses, wire formats, rings, ports, agents and counters. It makes no
 * system calls beyond those of the JDK. The binding module implements the rest through the service interfaces
 * {@link org.fibnuma.core.port.PortProvider}, {@link org.fibnuma.core.memory.PageSource},
 * {@link org.fibnuma.core.agent.ThreadPinning} and {@link org.fibnuma.core.service.notify.DatagramSender}.
 */
package org.fibnuma.core;
