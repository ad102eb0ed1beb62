/** Threads: Agrona agents with an injected idle strategy, on a chosen core. */
@org.fibnuma.core.Internal
package org.fibnuma.core.agent;
