package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.DocumentedJson;
import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.stage.FrameClass;
import org.fibnuma.fibnic.stage.Stage;
import org.fibnuma.fibnic.trace.HeaderFields;
import org.fibnuma.fibnic.trace.TraceEvent;
import org.fibnuma.fibnic.trace.TraceStep;
import org.fibnuma.fibnic.trace.TracedFrame;
import org.junit.jupiter.api.Test;

import java.util.HexFormat;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The text and the JSON of a step that has found the flow of a masqueraded packet. */
class TraceTextTest
{
    /** UDP from 10.0.0.2:1024 to 192.0.2.9:1024. */
    private static final String RECEIVED = "0200000000010200000000aa0800" +
        "4500001c12340000" + "4011" + "9c92" + "0a000002c0000209" + "0400040000080000";
    /** From 198.51.100.1:2048. */
    private static final String TRANSLATED =
        RECEIVED.replace("9c92" + "0a000002", "7c5f" + "c6336401").replace("04000400", "08000400");

    @Test
    void shouldNameTheFlowAndTheTranslation() throws Exception
    {
        final HexFormat hex = HexFormat.of();
        final TraceStep original = step(2 * 12, hex.parseHex(TRANSLATED));
        final TraceStep reply = step(2 * 12 + 1, new byte[0]);
        final TracedFrame frame =
            new TracedFrame(0, 0, "left", 42, hex.parseHex(RECEIVED), List.of(original, reply), false);
        try (HeaderFields headers = new HeaderFields())
        {
            final TraceText text = new TraceText(headers);
            final List<TraceText.Line> lines = text.lines(frame);
            assertEquals("original direction of flow 12, ordinary IPv4, header-checksum 0x9c92 -> 0x7c5f, " +
                "source 10.0.0.2 -> 198.51.100.1, source-port 1024 -> 2048", lines.get(0).text());
            assertEquals("reply direction of flow 12", lines.get(1).text());
            final TraceJson json = new TraceJson(text);
            json.add(frame);
            final JsonNode document = json.document(0);
            DocumentedJson.assertMatches("trace", document);
            final JsonNode step = document.get("frames").get(0).get("steps").get(1);
            assertEquals(12, step.get("flow").asInt());
            assertEquals("reply", step.get("direction").asText());
            assertEquals("flow", step.get("event").asText());
        }
    }

    private static TraceStep step(final int direction, final byte[] head)
    {
        return new TraceStep(
            Stage.FLOW_INPUT, FrameClass.ORDINARY_IPV4, Disposition.FORWARD, "", TraceEvent.FLOW, direction, 42, "left",
            -1, null, IpAddress.NONE, 0, null, head);
    }
}
