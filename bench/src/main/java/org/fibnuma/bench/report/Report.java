package org.fibnuma.bench.report;

import org.fibnuma.core.service.command.Commands;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that was measured.
 *
 * @param figures in the order of the papers.
 * @param command that measured.
 * @param machine facts about it.
 * @param seconds that it took.
 */
record Report(List<MeasuredFigure> figures, String command, Map<String, Object> machine, double seconds)
{
    /** Returns the fields of the report for JSON. */
    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("command", command);
        map.put("version", Commands.VERSION);
        map.put("seconds", seconds);
        map.put("machine", machine);
        map.put("figures", figures.stream().map(MeasuredFigure::toMap).toList());
        map.put("hardwareOnly", HardwareOnly.ALL.stream().map(HardwareOnly::toMap).toList());
        return map;
    }
}
