/** Threads: Agrona agents with an injected way of waiting, on a chosen core. */
package org.fibnuma.core.agent;
