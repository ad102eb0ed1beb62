/**
 * UDP traffic at the rate that one core reaches. A {@link org.fibnuma.core.traffic.TrafficSender} writes frames and
 * offers them to a port; a {@link org.fibnuma.core.traffic.TrafficGenerator} makes it do so on its own thread until it
 * is closed. {@link org.fibnuma.core.traffic.HostPort} is an AF_XDP port in a network namespace to send by.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.traffic;
