/**
 * DCQCN: Y. Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015. Routers mark
 * ({@link org.fibnuma.pfc.ecn.EcnMarker}), the receiver notifies
 * ({@link org.fibnuma.pfc.dcqcn.NotificationPoint}), the sender slows down
 * ({@link org.fibnuma.pfc.dcqcn.ReactionPoint}). One object for each flow; times come in, nothing reads a clock.
 */
package org.fibnuma.pfc.dcqcn;
