/**
 * VLANs and QinQ: frames with the tags of a VLAN interface lose them on the way in and get those of their egress
 * interface on the way out.
 * <pre>
 *  port -> VlanInput -> stages for the frames of one interface -> VlanOutput -> port
 *             |                          |
 *          VlanTable            RouterInterface.tags
 * </pre>
 * {@link org.fibnuma.core.frame.InterfaceNumber} says how interfaces are numbered.
 */
package org.fibnuma.fibnic.vlan;
