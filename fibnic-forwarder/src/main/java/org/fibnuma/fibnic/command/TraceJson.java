package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.frame.Disposition;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.trace.TraceEvent;
import org.fibnuma.fibnic.trace.TraceStep;
import org.fibnuma.fibnic.trace.TracedFrame;

import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The frames of a trace as JSON; docs/json.md describes the fields. */
final class TraceJson
{
    private static final String[] DISPOSITIONS =
        {"forward", "punt", "hold", "consumed", "drop", "fragment", "settled"};

    private final TraceText text;
    private final ObjectNode document = ControlProtocol.object();
    private final ArrayNode frames = document.putArray("frames");

    TraceJson(final TraceText text)
    {
        this.text = text;
    }

    void add(final TracedFrame frame)
    {
        final ObjectNode node = frames.addObject()
            .put("time", timeOf(frame).toString())
            .put("worker", frame.worker())
            .put("port", frame.port())
            .put("length", frame.length())
            .put("packet", text.packet(frame));
        final ArrayNode steps = node.putArray("steps");
        text.lines(frame).forEach(line -> add(steps.addObject(), line));
        final TraceStep fate = frame.fate();
        if (fate != null)
        {
            addFate(node.putObject("fate"), fate);
        }
        if (frame.isTruncated())
        {
            node.put("truncated", true);
        }
    }

    static Instant timeOf(final TracedFrame frame)
    {
        final long second = TimeUnit.SECONDS.toNanos(1);
        return Instant.ofEpochSecond(frame.timeNs() / second, frame.timeNs() % second);
    }

    private static void add(final ObjectNode node, final TraceText.Line line)
    {
        final TraceStep step = line.step();
        node.put("stage", step.stage().label()).put("text", line.text()).put("length", step.length());
        if (!step.klass().label().isEmpty())
        {
            node.put("class", step.klass().label());
        }
        node.put("disposition", DISPOSITIONS[step.disposition()]);
        if (step.disposition() == Disposition.DROP)
        {
            node.put("reason", step.reason());
        }
        if (step.adjacencyKind() != null)
        {
            node.put("adjacency", step.adjacencyKind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
            if (!step.nextHop().isNone())
            {
                node.put("nextHop", step.nextHop().toString());
            }
        }
        if (step.egress() != null)
        {
            node.put("egress", step.egress());
        }
        if (step.event() == TraceEvent.JUDGED)
        {
            node.put("list", TraceText.list(step));
            if (step.detail() >= 0)
            {
                node.put("rule", step.detail() + 1);
            }
        }
        if (step.event() == TraceEvent.FLOW)
        {
            node.put("flow", step.flow()).put("direction", step.isReply() ? "reply" : "original");
        }
        if (step.event() != TraceEvent.NONE)
        {
            node.put("event", step.event().label());
        }
        if (!line.changes().isEmpty())
        {
            final ArrayNode changes = node.putArray("changes");
            line.changes().forEach(change -> changes.addObject()
                .put("field", change.field()).put("before", change.before()).put("after", change.after()));
        }
    }

    private static void addFate(final ObjectNode node, final TraceStep fate)
    {
        node.put("event", fate.event().label());
        if (fate.egress() != null)
        {
            node.put("port", fate.egress());
        }
        if (fate.event() == TraceEvent.DROPPED)
        {
            node.put("reason", fate.reason());
        }
        if (fate.event() == TraceEvent.FRAGMENTED)
        {
            node.put("fragments", fate.detail());
        }
    }

    /** Returns the document with the number of lost frames. */
    ObjectNode document(final long lost)
    {
        return document.put("lost", lost);
    }
}
