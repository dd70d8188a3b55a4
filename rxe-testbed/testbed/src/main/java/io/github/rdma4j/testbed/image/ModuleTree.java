// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The modules of one kernel, as {@code depmod} describes them. */
final class ModuleTree {
    private final Path directory;
    private final Map<String, String> paths = new LinkedHashMap<>();
    private final Map<String, List<String>> dependencies = new LinkedHashMap<>();
    private final Set<String> builtIn;

    /**
     * Reads {@code modules.dep} and {@code modules.builtin} in a directory like {@code /lib/modules/6.1.0-50-amd64}.
     */
    ModuleTree(Path directory) throws IOException {
        this.directory = directory;
        for (String line : Files.readAllLines(directory.resolve("modules.dep"))) {
            int colon = line.indexOf(':');
            String path = line.substring(0, colon);
            String rest = line.substring(colon + 1).strip();
            paths.put(name(path), path);
            dependencies.put(
                    name(path),
                    rest.isEmpty()
                            ? List.of()
                            : List.of(rest.split(" ")).stream()
                                    .map(ModuleTree::name)
                                    .toList());
        }
        builtIn = Files.readAllLines(directory.resolve("modules.builtin")).stream()
                .map(ModuleTree::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static String name(String path) {
        String file = path.substring(path.lastIndexOf('/') + 1);
        return file.replaceAll("\\.ko(\\.xz|\\.zst|\\.gz)?$", "").replace('-', '_');
    }

    /** The names that are modules of this kernel; fails for a name that is neither a module nor built in. */
    List<String> loadable(List<String> names) throws TestbedException {
        List<String> found = new ArrayList<>();
        for (String name : names) {
            if (paths.containsKey(name)) {
                found.add(name);
            } else if (!builtIn.contains(name)) {
                throw new TestbedException("kernel module " + name + " is not in " + directory);
            }
        }
        return found;
    }

    /** The names that are modules of this kernel; ignores other names. */
    List<String> existing(List<String> names) {
        return names.stream().filter(paths::containsKey).toList();
    }

    /** The named modules and their dependencies. */
    Set<String> closure(List<String> names) {
        Set<String> closure = new LinkedHashSet<>();
        for (String name : names) {
            if (closure.add(name)) {
                closure.addAll(dependenciesOf(name));
            }
        }
        return closure;
    }

    /** All dependencies, direct and indirect; {@code modules.dep} lists them all. */
    List<String> dependenciesOf(String name) {
        return dependencies.getOrDefault(name, List.of());
    }

    Path file(String name) {
        String path = paths.get(name);
        if (path == null) {
            throw new IllegalArgumentException("no module " + name);
        }
        return directory.resolve(path);
    }
}
