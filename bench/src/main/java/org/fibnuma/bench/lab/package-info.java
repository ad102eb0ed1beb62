/**
 * Networks in one machine: {@link org.fibnuma.bench.lab.Host} is a host,
 * {@link org.fibnuma.bench.lab.Host#connect} a cable between two, and
 * {@link org.fibnuma.bench.lab.ChildProcess} something that runs in one. Nothing of it outlives the process that made
 * it, however that ends. Only root can use it; of programs it needs iproute2 and util-linux.
 * {@link org.fibnuma.bench.lab.Machine} says what all of it runs on.
 */
package org.fibnuma.bench.lab;
