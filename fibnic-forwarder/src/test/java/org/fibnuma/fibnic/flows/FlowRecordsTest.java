package org.fibnuma.fibnic.flows;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class FlowRecordsTest
{
    @Test
    void shouldCountTheTimeWithoutPackets()
    {
        final FlowRecords records = new FlowRecords();
        records.put(3, 1, 120, 1000);
        assertEquals(500, records.idleMs(3, 0, 1500));
        assertEquals(0, records.idleMs(3, 7, 2000));
        assertEquals(900, records.idleMs(3, 7, 2900));
        records.refreshed(3, 7, 2900);
        assertEquals(1000, records.idleMs(3, 7, 3000));
        assertEquals(0, records.idleMs(3, 8, 3000));
        records.put(3, 2, 120, 4000);
        assertEquals(10, records.idleMs(3, 0, 4010));
    }
}
