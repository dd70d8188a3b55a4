// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.UmlKernel;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * The place where code that needs an RDMA device runs.
 *
 * <p>The order of the choice: the backend that the caller names, the system property {@value #PROPERTY}, the
 * environment variable {@value #VARIABLE}, {@link #UML} if its kernel is in the cache, and {@link #VM}. {@link #HOST}
 * is never chosen automatically: a software RDMA device can crash the kernel on which other work depends.
 */
public enum Backend {
    /** This machine, which must have an RDMA device. */
    HOST,
    /**
     * A guest in User Mode Linux: starts in half a second and runs code at the speed of this machine, on one processor.
     * {@code testbed setup --on uml} builds its kernel.
     */
    UML,
    /** A guest in QEMU, with a kernel that Debian built. */
    VM;

    /** The system property that chooses a backend; its values are the names of the constants in lower case. */
    public static final String PROPERTY = "rdma4j.testbed";

    /** The environment variable that chooses a backend if the system property is not set. */
    public static final String VARIABLE = "RDMA4J_TESTBED";

    /** The name that options, {@link #PROPERTY} and {@link #VARIABLE} use, such as {@code uml}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds the backend of this name.
     *
     * @throws TestbedException if no backend has the name; the message names all backends
     */
    public static Backend of(String label) throws TestbedException {
        return find(label, "a backend");
    }

    private static Backend find(String label, String source) throws TestbedException {
        for (Backend backend : values()) {
            if (backend.label().equals(label)) {
                return backend;
            }
        }
        String known = Arrays.stream(values()).map(Backend::label).collect(Collectors.joining(", "));
        throw new TestbedException(source + " is one of " + known + ", not " + label);
    }

    /**
     * The backend that the system property or the environment variable of this process names; empty if neither is set.
     *
     * @throws TestbedException if the value is not the name of a backend
     */
    public static Optional<Backend> configured() throws TestbedException {
        return configured(System.getProperties(), System.getenv());
    }

    static Optional<Backend> configured(Properties properties, Map<String, String> environment)
            throws TestbedException {
        String property = properties.getProperty(PROPERTY, "");
        if (!property.isEmpty()) {
            return Optional.of(find(property, "the system property " + PROPERTY));
        }
        String variable = environment.getOrDefault(VARIABLE, "");
        return variable.isEmpty() ? Optional.empty() : Optional.of(find(variable, VARIABLE));
    }

    /**
     * The backend to use in this process.
     *
     * @param wanted the backend that the caller names; empty leaves the choice to the configuration of this process
     * @throws TestbedException if the configuration names no backend
     */
    public static Backend resolve(Optional<Backend> wanted) throws TestbedException {
        Optional<Backend> chosen = wanted.isPresent() ? wanted : configured();
        return chosen.isPresent() ? chosen.get() : automatic(System.getenv());
    }

    static Backend automatic(Map<String, String> environment) {
        return UmlKernel.isIn(CacheDirectory.of(environment)) ? UML : VM;
    }
}
