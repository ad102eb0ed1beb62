package org.fibnuma.fabric.sonic;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.pfc.wire.MacControl;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The QoS settings of the ports of a switch: PORT_QOS_MAP with the maps that it names, BUFFER_PG and QUEUE. A key of
 * these tables contains one port or, before release 202111, several with commas.
 */
final class PortQos
{
    private static final String PORT_QOS_MAP = "PORT_QOS_MAP";
    /** The key of the settings of all ports. */
    static final String GLOBAL = "global";

    private final ConfigDatabase database;
    private final Map<String, String> qosKeys = new HashMap<>();
    private final Map<String, String[]> groupKeys = new HashMap<>();
    private final Map<String, String[]> queueKeys = new HashMap<>();

    PortQos(final ConfigDatabase database)
    {
        this.database = database;
        for (final String key : database.entries(PORT_QOS_MAP).keySet())
        {
            for (final String port : key.split(","))
            {
                qosKeys.put(port, key);
            }
        }
        index("BUFFER_PG", groupKeys);
        index("QUEUE", queueKeys);
    }

    /** Indexes a table whose keys are {@code PORT|N} or {@code PORT|N-M}. */
    private void index(final String table, final Map<String, String[]> keys)
    {
        for (final String key : database.entries(table).keySet())
        {
            final String[] parts = key.split("\\|");
            if (parts.length != 2 || !parts[1].matches("\\d{1,2}(-\\d{1,2})?"))
            {
                // Queues of a VOQ chassis have four parts; queues above 7 exist on the CPU port.
                continue;
            }
            final int first = Integer.parseInt(parts[1].replaceFirst("-.*", ""));
            final int last = Integer.parseInt(parts[1].replaceFirst(".*-", ""));
            for (final String port : parts[0].split(","))
            {
                final String[] byNumber = keys.computeIfAbsent(port, name -> new String[MacControl.PRIORITIES]);
                for (int number = first; number <= last && number < byNumber.length; number++)
                {
                    if (byNumber[number] != null)
                    {
                        throw database.fault(table, key, "overlaps with " + byNumber[number] + "; remove one");
                    }
                    byNumber[number] = key;
                }
            }
        }
    }

    /** {@return the priorities for which PFC is on, in ascending order} */
    Set<Integer> lossless(final String port)
    {
        final Set<Integer> priorities = priorities(port, "pfc_enable");
        return priorities == null ? Set.of() : priorities;
    }

    /** {@return the priorities of the watchdog; null if PORT_QOS_MAP does not contain them} */
    Set<Integer> watched(final String port)
    {
        return priorities(port, "pfcwd_sw_enable");
    }

    private Set<Integer> priorities(final String port, final String field)
    {
        final String key = qosKeys.get(port);
        final String text = key == null ? null : database.text(PORT_QOS_MAP, key, field);
        if (text == null)
        {
            return null;
        }
        if (!text.matches("([0-7](,[0-7])*)?"))
        {
            throw database.fault(PORT_QOS_MAP, key, field + " is not a list of priorities such as 3,4");
        }
        final Set<Integer> priorities = new TreeSet<>();
        for (final String priority : text.isEmpty() ? new String[0] : text.split(","))
        {
            priorities.add(Integer.parseInt(priority));
        }
        return priorities;
    }

    /** {@return the key of PORT_QOS_MAP that contains a port, or null} */
    String qosKey(final String port)
    {
        return qosKeys.get(port);
    }

    /** {@return the queue that a received pause of a priority stops} */
    int queue(final String port, final int priority)
    {
        return map(port, "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE").getOrDefault(priority, priority);
    }

    /** {@return the priority group for which pauses of a priority are sent} */
    int group(final String port, final int priority)
    {
        return map(port, "pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP").getOrDefault(priority, priority);
    }

    /** {@return the traffic classes in a queue} */
    Set<Integer> classesOfQueue(final String port, final int queue)
    {
        return keysWith(map(port, "tc_to_queue_map", "TC_TO_QUEUE_MAP"), Set.of(queue));
    }

    /** {@return the priority group of each traffic class; empty if there is no map} */
    Map<Integer, Integer> groups(final String port)
    {
        return map(port, "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP");
    }

    /** {@return the DSCPs of a priority, in ascending order; empty if the port classifies by 802.1p only} */
    Set<Integer> dscps(final String port, final int priority)
    {
        return keysWith(
            map(port, "dscp_to_tc_map", "DSCP_TO_TC_MAP"), classesOfQueue(port, queue(port, priority)));
    }

    /** {@return numbers separated by commas; "none" if there are none} */
    static String list(final Set<Integer> numbers)
    {
        return numbers.isEmpty() ? "none" : String.join(",", numbers.stream().map(String::valueOf).toList());
    }

    /** {@return the 802.1p priorities of traffic classes} */
    Set<Integer> dot1ps(final String port, final Set<Integer> classes)
    {
        return keysWith(map(port, "dot1p_to_tc_map", "DOT1P_TO_TC_MAP"), classes);
    }

    private static Set<Integer> keysWith(final Map<Integer, Integer> map, final Set<Integer> values)
    {
        final Set<Integer> keys = new TreeSet<>();
        map.forEach((key, value) ->
        {
            if (values.contains(value))
            {
                keys.add(key);
            }
        });
        return keys;
    }

    private Map<Integer, Integer> map(final String port, final String field, final String table)
    {
        final String own = qosKeys.get(port) == null ? null :
            database.reference(PORT_QOS_MAP, qosKeys.get(port), field);
        final String name = own == null ? database.reference(PORT_QOS_MAP, GLOBAL, field) : own;
        final Map<Integer, Integer> map = new TreeMap<>();
        if (name == null)
        {
            return map;
        }
        final JsonNode entry = database.entry(table, name);
        if (entry.isMissingNode())
        {
            throw database.fault(PORT_QOS_MAP, own == null ? GLOBAL : qosKeys.get(port),
                field + ": " + table + " has no entry \"" + name + "\"");
        }
        entry.properties().forEach(pair ->
        {
            final String value = database.text(table, name, pair.getKey());
            if (!pair.getKey().matches("\\d{1,2}") || !value.matches("\\d{1,2}"))
            {
                throw database.fault(table, name, "\"" + pair.getKey() + "\": \"" + value + "\" are not two numbers");
            }
            map.put(Integer.parseInt(pair.getKey()), Integer.parseInt(value));
        });
        return map;
    }

    /** {@return the key of BUFFER_PG for a priority group, or null} */
    String groupKey(final String port, final int group)
    {
        final String[] keys = groupKeys.get(port);
        return keys == null || group >= keys.length ? null : keys[group];
    }

    /**
     * Returns the buffer profile of a priority group: null if none is configured, "NULL" if the switch computes it. An
     * entry that BUFFER_PROFILE lacks is a fault.
     */
    String profile(final String port, final int group)
    {
        return named(groupKey(port, group), "BUFFER_PG", "profile", "BUFFER_PROFILE");
    }

    /** {@return the key of QUEUE for a queue, or null} */
    String queueKey(final String port, final int queue)
    {
        final String[] keys = queueKeys.get(port);
        return keys == null || queue >= keys.length ? null : keys[queue];
    }

    /** {@return the WRED profile of a queue, or null} */
    String wredProfile(final String port, final int queue)
    {
        return named(queueKey(port, queue), "QUEUE", "wred_profile", "WRED_PROFILE");
    }

    private String named(final String key, final String table, final String field, final String target)
    {
        final String name = key == null ? null : database.reference(table, key, field);
        if (name == null || name.isEmpty() || name.equals("NULL"))
        {
            return name == null || name.isEmpty() ? null : name;
        }
        if (database.entry(target, name).isMissingNode())
        {
            throw database.fault(table, key, field + ": " + target + " has no entry \"" + name + "\"");
        }
        return name;
    }

    /** {@return all ports with PFC, sorted by name} */
    List<String> losslessPorts()
    {
        return qosKeys.keySet().stream()
            .filter(port -> !port.equals(GLOBAL) && !lossless(port).isEmpty()).sorted().toList();
    }
}
