package org.fibnuma.fibnic.trace;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.stage.FrameClass;
import org.fibnuma.fibnic.stage.Stage;

/**
 * The work of one stage on a traced frame. Class, disposition, reason, length and ingress are those after the stage.
 *
 * @param stage         that processed the frame.
 * @param klass         class of the frame.
 * @param disposition   a constant of {@link org.fibnuma.core.frame.Disposition}.
 * @param reason        label of the drop reason; undefined unless the frame is or was to be dropped.
 * @param event         action of the stage besides changes of the frame.
 * @param detail        see {@link TraceEvent}; the number of members for an adjacency of kind GROUP.
 * @param length        of the frame in bytes.
 * @param ingress       name of the ingress interface.
 * @param adjacency     index of the adjacency, or -1 if the stage selects none.
 * @param adjacencyKind kind of the adjacency, null if the stage selects none.
 * @param nextHop       of the adjacency, {@link IpAddress#NONE} if it is the destination or there is none.
 * @param mtu           of the adjacency in bytes, 0 if it does not send.
 * @param egress        name of the egress interface, null if the stage selects none.
 * @param bytes         first bytes of the frame if the stage has changed them, or of the message of
 *                      {@link TraceEvent#MESSAGE_WRITTEN}, or the name of the access list of {@link TraceEvent#JUDGED}.
 */
public record TraceStep(
    Stage stage,
    FrameClass klass,
    int disposition,
    String reason,
    TraceEvent event,
    int detail,
    int length,
    String ingress,
    int adjacency,
    AdjacencyKind adjacencyKind,
    IpAddress nextHop,
    int mtu,
    String egress,
    byte[] bytes)
{
    /** Returns the number of the flow of {@link TraceEvent#FLOW}; undefined for other events. */
    public int flow()
    {
        return detail >> 1;
    }

    /** Returns whether the responder of the flow has sent the packet; undefined without {@link TraceEvent#FLOW}. */
    public boolean isReply()
    {
        return (detail & 1) != 0;
    }

    /** Returns the first bytes of the frame after the stage, or null if the stage has not changed them. */
    public byte[] changedHead()
    {
        return bytes.length == 0 || event == TraceEvent.MESSAGE_WRITTEN || event == TraceEvent.JUDGED ? null : bytes;
    }
}
