package org.fibnuma.fibnic.command;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.fibnic.stage.FrameClass;
import org.fibnuma.fibnic.trace.HeaderFields;
import org.fibnuma.fibnic.trace.TraceEvent;
import org.fibnuma.fibnic.trace.TraceStep;
import org.fibnuma.fibnic.trace.TracedFrame;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Describes what the stages did to a traced frame. For one thread. */
final class TraceText
{
    private final HeaderFields headers;

    /**
     * A header field that a stage has changed.
     *
     * @param field  name of the field.
     * @param before its value, null if the frame did not have the field.
     * @param after  its value, null if the frame has lost the field.
     */
    record Change(String field, String before, String after)
    {
        @Override
        public String toString()
        {
            return before == null ? field + " " + after + " added" :
                after == null ? field + " " + before + " removed" : field + " " + before + " -> " + after;
        }
    }

    /**
     * A step and its description.
     *
     * @param step    as the router recorded it.
     * @param changes of header fields.
     * @param text    what the stage did, one line.
     */
    record Line(TraceStep step, List<Change> changes, String text)
    {
    }

    TraceText(final HeaderFields headers)
    {
        this.headers = headers;
    }

    /** Describes the packet of a frame as it was received, in one line. */
    String packet(final TracedFrame frame)
    {
        return headers.packetAndHops(frame.head());
    }

    List<Line> lines(final TracedFrame frame)
    {
        final List<Line> lines = new ArrayList<>();
        Map<String, String> fields = headers.of(frame.head());
        FrameClass klass = FrameClass.NONE;
        String ingress = frame.port();
        int disposition = Disposition.FORWARD;
        int length = frame.length();
        for (final TraceStep step : frame.steps())
        {
            final List<String> parts = new ArrayList<>();
            if (!step.klass().label().equals(klass.label()))
            {
                parts.add(step.klass().label());
            }
            if (!step.ingress().equals(ingress))
            {
                parts.add("received by " + step.ingress());
            }
            addAdjacency(step, parts);
            final Map<String, String> after = step.changedHead() == null ? fields : headers.of(step.changedHead());
            final List<Change> changes = changes(fields, after);
            changes.forEach(change -> parts.add(change.toString()));
            if (step.length() != length)
            {
                parts.add("length " + length + " -> " + step.length());
            }
            if (step.egress() != null && step.adjacencyKind() == null && !step.event().isFate())
            {
                parts.add("leaves by " + step.egress());
            }
            addDisposition(step, disposition, parts);
            addEvent(step, parts);
            lines.add(new Line(step, changes, parts.isEmpty() ? "passed" : String.join(", ", parts)));
            klass = step.klass();
            ingress = step.ingress();
            fields = after;
            length = step.length();
            disposition = step.disposition();
        }
        return lines;
    }

    private static List<Change> changes(final Map<String, String> before, final Map<String, String> after)
    {
        final Set<String> names = new LinkedHashSet<>(before.keySet());
        names.addAll(after.keySet());
        final List<Change> changes = new ArrayList<>();
        for (final String name : names)
        {
            final String old = before.get(name);
            final String now = after.get(name);
            if (old == null || !old.equals(now))
            {
                changes.add(new Change(name, old, now));
            }
        }
        return changes;
    }

    private static void addAdjacency(final TraceStep step, final List<String> parts)
    {
        if (step.adjacencyKind() == null || step.event() == TraceEvent.HELD)
        {
            return;
        }
        switch (step.adjacencyKind())
        {
            case FORWARD -> parts.add(nextHop(step) + ", mtu " + step.mtu());
            case UNRESOLVED, GLEAN -> parts.add(nextHop(step) + ", MAC address not resolved");
            case GROUP -> parts.add("one of " + step.detail() + " next hops");
            case LOCAL -> parts.add("address of this host");
            case BROADCAST -> parts.add("broadcast address of a connected network");
            case KERNEL -> parts.add("route by an interface that is no port");
            case PUNT -> parts.add("decided by the kernel");
            case NO_ROUTE -> parts.add("no route");
            default -> parts.add("route is " + step.adjacencyKind().name().toLowerCase(Locale.ROOT));
        }
    }

    private static String nextHop(final TraceStep step)
    {
        return "next hop " + (step.nextHop().isNone() ? "is the destination" : step.nextHop().toString()) +
            " at " + step.egress();
    }

    private static void addDisposition(final TraceStep step, final int before, final List<String> parts)
    {
        if (step.disposition() == before || step.event().isFate())
        {
            return;
        }
        switch (step.disposition())
        {
            case Disposition.DROP -> parts.add("drop: " + step.reason());
            case Disposition.PUNT -> parts.add("for the kernel of this host");
            case Disposition.HOLD -> parts.add("waits for its neighbour");
            case Disposition.FRAGMENT -> parts.add("exceeds the MTU");
            default ->
            {
            }
        }
    }

    private void addEvent(final TraceStep step, final List<String> parts)
    {
        switch (step.event())
        {
            case JUDGED -> parts.add(0, "list " + list(step) + ", " + rule(step) + ": " + verdict(step));
            case FLOW -> parts.add(0, (step.isReply() ? "reply" : "original") + " direction of flow " + step.flow());
            case MESSAGE_WRITTEN -> parts.add("sends " + headers.packet(step.bytes()));
            case MESSAGE_SENT -> parts.add("sends a message to the sender on its link");
            case MESSAGE_SUPPRESSED -> parts.add("sends no message: limit of rate, or no address or memory for it");
            case SENT -> parts.add("sent by " + step.egress() + ", " + step.length() + " bytes");
            case QUEUED -> parts.add("queued for " + step.egress() + ", " + step.length() + " bytes");
            case FRAGMENTED -> parts.add("sent by " + step.egress() + " in " + step.detail() + " fragments");
            case HELD -> parts.add("held until " + (step.nextHop().isNone() ? "the destination" : step.nextHop()) +
                " at " + step.egress() + " is resolved");
            case PUNTED -> parts.add("passed to the kernel");
            case CONSUMED -> parts.add("consumed");
            case DROPPED -> parts.add("dropped: " + step.reason());
            default ->
            {
            }
        }
    }

    /** Returns the name of the access list that has judged a packet, with "?" for characters that are not printable. */
    static String list(final TraceStep step)
    {
        return new String(step.bytes(), StandardCharsets.US_ASCII).replaceAll("[^ -~]", "?");
    }

    private static String rule(final TraceStep step)
    {
        return step.detail() < 0 ? "default" : "rule " + (step.detail() + 1);
    }

    private static String verdict(final TraceStep step)
    {
        return step.disposition() == Disposition.DROP ? step.reason() : "permit";
    }
}
