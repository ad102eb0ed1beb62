package org.fibnuma.fibnic.trace;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.stage.FrameClass;
import org.fibnuma.fibnic.stage.Stage;
import org.fibnuma.fibnic.record.RecordReceiver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Reads the records of a trace in the process of the command. Every value is validated. For one thread. */
public final class TraceReceiver extends RecordReceiver
{
    private static final AdjacencyKind[] KINDS = AdjacencyKind.values();

    private final List<String> allPorts;
    private final List<String> reasons;
    private final Consumer<TracedFrame> consumer;

    /**
     * Creates a receiver with the names of a router.
     *
     * @param portNames names of the traced ports, by index.
     * @param allPorts  names of all ports, by index.
     * @param reasons   labels of the drop reasons, by id.
     * @param consumer  of the frames.
     */
    public TraceReceiver(
        final Map<Integer, String> portNames,
        final List<String> allPorts,
        final List<String> reasons,
        final Consumer<TracedFrame> consumer)
    {
        super(portNames);
        this.allPorts = List.copyOf(allPorts);
        this.reasons = List.copyOf(reasons);
        this.consumer = consumer;
    }

    @Override
    protected void onRecord(final int kind, final ByteBuffer body) throws IOException
    {
        require(kind == TraceLayout.FRAME, "kind", kind);
        require(body.remaining() >= TraceLayout.HEADER_LENGTH, "length", body.remaining());
        final int headLength = body.getInt(TraceLayout.HEAD_LENGTH_OFFSET);
        require(headLength >= 0 && headLength <= TraceLayout.HEAD &&
            TraceLayout.HEADER_LENGTH + TraceLayout.align(headLength) <= body.limit(), "length of bytes", headLength);
        final int count = body.getInt(TraceLayout.STEPS_OFFSET);
        require(count >= 0 && count <= TraceLayout.MAX_STEPS, "number of steps", count);
        final List<TraceStep> steps = new ArrayList<>();
        int at = TraceLayout.HEADER_LENGTH + TraceLayout.align(headLength);
        for (int i = 0; i < count; i++)
        {
            require(at + TraceLayout.STEP_LENGTH <= body.limit(), "number of steps", count);
            final int length = body.getShort(at + TraceLayout.BYTES_LENGTH_OFFSET);
            final int end = at + TraceLayout.STEP_LENGTH + TraceLayout.align(Math.max(0, length));
            require(length >= 0 && length <= TraceLayout.HEAD && end <= body.limit(), "length of bytes", length);
            steps.add(step(body, at, length));
            at = end;
        }
        consumer.accept(new TracedFrame(
            body.getLong(TraceLayout.TIME_OFFSET), body.getInt(TraceLayout.WORKER_OFFSET),
            portName(body.getInt(TraceLayout.PORT_OFFSET)), body.getInt(TraceLayout.LENGTH_OFFSET),
            bytes(body, TraceLayout.HEADER_LENGTH, headLength), steps,
            body.getInt(TraceLayout.TRUNCATED_OFFSET) != 0));
    }

    private TraceStep step(final ByteBuffer body, final int at, final int length) throws IOException
    {
        final int stageId = body.get(at + TraceLayout.STAGE_OFFSET);
        final Stage stage = Stage.of(stageId);
        require(stage != null, "stage", stageId);
        final int classId = body.get(at + TraceLayout.CLASS_OFFSET);
        final FrameClass klass = FrameClass.of(classId);
        require(klass != null, "class", classId);
        final int eventId = body.get(at + TraceLayout.EVENT_OFFSET);
        final TraceEvent event = TraceEvent.of(eventId);
        require(event != null, "event", eventId);
        final int disposition = body.get(at + TraceLayout.DISPOSITION_OFFSET);
        require(disposition >= 0 && disposition <= Disposition.SETTLED, "disposition", disposition);
        final int reason = body.get(at + TraceLayout.REASON_OFFSET) & 0xFF;
        require(reason < reasons.size(), "drop reason", reason);
        final int kind = body.get(at + TraceLayout.ADJACENCY_KIND_OFFSET);
        require(kind >= TraceLayout.NONE && kind < KINDS.length, "kind of an adjacency", kind);
        final int egress = body.getInt(at + TraceLayout.EGRESS_OFFSET);
        return new TraceStep(
            stage, klass, disposition, reasons.get(reason), event, body.getInt(at + TraceLayout.DETAIL_OFFSET),
            body.getInt(at + TraceLayout.STEP_FRAME_LENGTH_OFFSET),
            interfaceName(
                body.getInt(at + TraceLayout.INGRESS_OFFSET), body.getLong(at + TraceLayout.INGRESS_TAGS_OFFSET)),
            body.getInt(at + TraceLayout.ADJACENCY_OFFSET), kind == TraceLayout.NONE ? null : KINDS[kind],
            new IpAddress(
                body.getLong(at + TraceLayout.NEXT_HOP_OFFSET),
                body.getLong(at + TraceLayout.NEXT_HOP_OFFSET + Long.BYTES)),
            body.getInt(at + TraceLayout.MTU_OFFSET),
            egress == TraceLayout.NONE ? null :
            interfaceName(egress, body.getLong(at + TraceLayout.EGRESS_TAGS_OFFSET)),
            bytes(body, at + TraceLayout.STEP_LENGTH, length));
    }

    /** Returns the name of a port, for a VLAN interface with its VLAN identifiers, the outer one first. */
    private String interfaceName(final int number, final long tags) throws IOException
    {
        final int port = InterfaceNumber.portOf(number);
        require(port < allPorts.size(), "port", port);
        final String name = allPorts.get(port);
        if (tags == 0)
        {
            return name;
        }
        final long outer = VlanTag.outer(tags);
        return name + " vlan " + (outer == 0 ? "" : VlanTag.vid(outer) + ".") + VlanTag.vid(VlanTag.inner(tags));
    }

    private static byte[] bytes(final ByteBuffer body, final int at, final int length)
    {
        final byte[] bytes = new byte[length];
        body.get(at, bytes);
        return bytes;
    }
}
