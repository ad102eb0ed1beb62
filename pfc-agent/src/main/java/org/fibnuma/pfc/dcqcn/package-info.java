/**
 * DCQCN: Y. Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015. Routers mark packets
 * ({@link org.fibnuma.pfc.ecn.EcnMarker}), the receiver sends notifications
 * ({@link org.fibnuma.pfc.dcqcn.NotificationPoint}), the sender lowers its rate
 * ({@link org.fibnuma.pfc.dcqcn.ReactionPoint}). Each flow has its own objects. Callers pass the time; no class reads a
 * clock.
 */
@org.fibnuma.core.Internal
package org.fibnuma.pfc.dcqcn;
