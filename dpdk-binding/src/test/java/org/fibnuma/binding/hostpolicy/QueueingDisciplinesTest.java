package org.fibnuma.binding.hostpolicy;

import org.fibnuma.binding.netlink.HexMessage;
import org.fibnuma.core.kernel.HostRestriction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

import static org.fibnuma.binding.netlink.HexAttribute.attribute;
import static org.fibnuma.binding.netlink.HexAttribute.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

class QueueingDisciplinesTest
{
    private static final int NEWQDISC = 36;
    private static final int NESTED = 0x8000;

    private final QueueingDisciplines disciplines = new QueueingDisciplines(null);

    @ParameterizedTest
    @ValueSource(strings = {
        "noqueue", "noop", "mq", "pfifo_fast", "pfifo", "bfifo", "fq", "fq_codel", "clsact", "ingress"})
    void shouldPassOverWhatOnlyQueues(final String kind)
    {
        add(kind, "");
        assertEquals(List.of(), restrictions(7));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "tbf", "htb", "hfsc", "cake", "netem", "ets", "red", "prio", "sfq", "mqprio", "taprio", "bpf", "unheard-of"})
    void shouldNameEveryOther(final String kind)
    {
        add(kind, "");
        assertEquals(List.of(new HostRestriction(HostRestriction.Kind.QUEUEING_DISCIPLINE,
            "queueing discipline of r1: " + kind, "tc qdisc show dev r1", HostRestriction.Scope.device(7))),
            restrictions(7));
        assertEquals(List.of(), restrictions(8));
    }

    @Test
    void shouldNameEachKindOnce()
    {
        add("mq", "");
        add("netem", "");
        add("netem", "");
        add("tbf", "");
        assertEquals("queueing discipline of r1: netem, tbf", restrictions(7).get(0).text());
    }

    /** TCA_FQ_FLOW_MAX_RATE 7 in bytes a second; all ones is no limit. */
    @Test
    void shouldNameFqThatLimitsRates()
    {
        add("fq", attribute(NESTED | 2, attribute(1, "10270000") + attribute(7, "ffffffff")));
        assertEquals(List.of(), restrictions(7));
        add("fq", attribute(NESTED | 2, attribute(1, "10270000") + attribute(7, "40420f00")));
        assertEquals("queueing discipline of r1: fq with maxrate", restrictions(7).get(0).text());
    }

    /** struct tcmsg: family and padding, index, handle, parent, info. */
    private void add(final String kind, final String options)
    {
        disciplines.onDiscipline(HexMessage.message(NEWQDISC, 0,
            "00000000 07000000 00000180 ffffffff 02000000" + attribute(1, text(kind)) + options));
    }

    private List<HostRestriction> restrictions(final int interfaceIndex)
    {
        final List<HostRestriction> restrictions = new ArrayList<>();
        disciplines.addTo(restrictions, interfaceIndex, "r1");
        return restrictions;
    }
}
