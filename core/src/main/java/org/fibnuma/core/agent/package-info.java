/** Threads: Agrona agents with an injected idle strategy, on a chosen core. */
package org.fibnuma.core.agent;
