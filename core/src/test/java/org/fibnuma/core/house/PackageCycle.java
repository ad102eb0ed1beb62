package org.fibnuma.core.house;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Depth-first search for a cycle. */
final class PackageCycle
{
    private final Map<String, Set<String>> graph;
    private final Set<String> done = new HashSet<>();
    private final List<String> path = new ArrayList<>();

    private PackageCycle(final Map<String, Set<String>> graph)
    {
        this.graph = graph;
    }

    /**
     * Finds a cycle.
     *
     * @param graph dependencies of each node.
     * @return the nodes of a cycle, the first again at the end; empty if there is none.
     */
    static List<String> find(final Map<String, Set<String>> graph)
    {
        final PackageCycle search = new PackageCycle(graph);
        for (final String node : graph.keySet())
        {
            if (search.visit(node))
            {
                return search.path.subList(
                    search.path.indexOf(search.path.get(search.path.size() - 1)), search.path.size());
            }
        }
        return List.of();
    }

    private boolean visit(final String node)
    {
        if (done.contains(node))
        {
            return false;
        }
        final boolean circle = path.contains(node);
        path.add(node);
        if (circle)
        {
            return true;
        }
        for (final String next : graph.getOrDefault(node, Set.of()))
        {
            if (visit(next))
            {
                return true;
            }
        }
        path.remove(path.size() - 1);
        done.add(node);
        return false;
    }
}
