package org.fibnuma.fibnic.metrics;

import org.fibnuma.core.service.metrics.MetricsWriter;
import org.fibnuma.fibnic.flows.FlowRefusal;
import org.fibnuma.fibnic.flows.FlowStatus;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The flows of a router in Prometheus's text format. */
class FlowMetricsTest
{
    @Test
    void shouldHaveEveryReason()
    {
        final MetricsWriter<FlowStatus> writer =
            new MetricsWriter<>((flows, families) -> RouterMetrics.addFlows(families, flows, 17));
        final FlowStatus status =
            new FlowStatus(true, "", 3, 64, 4096, 9, 6, Map.of(FlowRefusal.NOT_ESTABLISHED, 5L));
        final List<String> lines = new String(writer.write(status, "*/*"), StandardCharsets.UTF_8).lines()
            .filter(line -> line.startsWith("fibnuma_flow")).sorted().toList();
        assertEquals("""
            fibnuma_flow_packets_total 17.0
            fibnuma_flow_refusals_total{reason="ambiguous"} 0.0
            fibnuma_flow_refusals_total{reason="fixed-timeout"} 0.0
            fibnuma_flow_refusals_total{reason="gone"} 0.0
            fibnuma_flow_refusals_total{reason="helper"} 0.0
            fibnuma_flow_refusals_total{reason="interfaces"} 0.0
            fibnuma_flow_refusals_total{reason="nat-clash"} 0.0
            fibnuma_flow_refusals_total{reason="not-established"} 5.0
            fibnuma_flow_refusals_total{reason="not-offloaded"} 0.0
            fibnuma_flow_refusals_total{reason="protocol"} 0.0
            fibnuma_flow_refusals_total{reason="refreshes"} 0.0
            fibnuma_flow_refusals_total{reason="rule"} 0.0
            fibnuma_flow_refusals_total{reason="sequence-adjustment"} 0.0
            fibnuma_flow_refusals_total{reason="table-full"} 0.0
            fibnuma_flow_refusals_total{reason="zone"} 0.0
            fibnuma_flows 3.0
            fibnuma_flows_capacity 64.0
            fibnuma_flows_ended_total 6.0
            fibnuma_flows_learned_total 9.0""", String.join("\n", lines));
    }
}
