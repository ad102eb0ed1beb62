package org.fibnuma.fibnic.report;

import org.fibnuma.fibnic.fate.DropReason;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;

class StagesReportTest
{
    /** The drops of all stages add up to the drops of the router. */
    @ParameterizedTest
    @EnumSource(DropReason.class)
    void shouldCountEachReasonInOneStage(final DropReason reason)
    {
        assertEquals(1, Arrays.stream(StagesReport.Row.values())
            .filter(stage -> stage.reasons().contains(reason)).count());
    }
}
