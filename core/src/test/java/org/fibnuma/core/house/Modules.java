package org.fibnuma.core.house;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The modules, bottom up, and what each may know. */
final class Modules
{
    static final List<String> NAMES =
        List.of("core", "dpdk-binding", "pfc-agent", "fibnic-forwarder", "ipnuma-endpoint", "bench");

    /** What the sources of a module's package may name; what they reach at run time is no matter here. */
    static final Map<String, Set<String>> MAY_NAME = Map.of(
        "core", Set.of("core"),
        "binding", Set.of("binding", "core"),
        "pfc", Set.of("pfc", "core"),
        "fibnic", Set.of("fibnic", "pfc", "core"),
        "ipnuma", Set.of("ipnuma", "pfc", "core"),
        "bench", Set.of("bench", "fibnic", "ipnuma", "pfc", "binding", "core"));

    static final String ROOT_PACKAGE = "org.fibnuma.";

    private Modules()
    {
    }

    /** The part of a package name of ours that names its module, or an empty string for others' packages. */
    static String of(final String qualifiedName)
    {
        return qualifiedName.startsWith(ROOT_PACKAGE) ?
            qualifiedName.substring(ROOT_PACKAGE.length()).split("\\.")[0] : "";
    }
}
