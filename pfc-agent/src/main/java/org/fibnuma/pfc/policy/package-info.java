/**
 * When to send which pause: the policies, the same objects in the router and in the simulator. A policy watches the
 * {@link org.fibnuma.pfc.priority.PriorityBacklog} of one ingress port and speaks to the peer through a
 * {@link org.fibnuma.pfc.policy.PauseOutput}.
 * <pre>
 *                 onArrival, onDeparture, onTime
 *  PriorityBacklog ------------> PausePolicy -----> SentPauses -----> PauseOutput
 *                                 |  |  |            (what the peer     (a frame)
 *                  OnOffPolicy ---+  |  |             was told)
 *                  CounterPolicy ----+  |
 *                  DrainTimePolicy -----+
 * </pre>
 */
package org.fibnuma.pfc.policy;
