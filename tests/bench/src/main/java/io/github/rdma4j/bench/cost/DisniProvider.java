// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.impl.RdmaProviderNat;
import java.io.File;
import java.nio.file.Path;
import java.util.List;

/** What DiSNI's API stands on in a JVM. */
enum DisniProvider {
    /** DiSNI's own native library. */
    LIBDISNI,
    /** rdma4j-disni. */
    RDMA4J;

    /** The name of DiSNI's own native library, as DiSNI loads it. */
    static final String LIBRARY = "libdisni.so";

    /**
     * The options of a JVM with this provider. The class path has the provider's classes first, because those of rdma4j-disni have the
     * names of DiSNI's own.
     *
     * @param libraries the directory of {@link #LIBRARY}
     */
    List<String> jvmOptions(Path libraries) {
        return switch (this) {
            case RDMA4J -> List.of("-cp", classPath(RdmaProviderNat.class));
            case LIBDISNI ->
                List.of(
                        "-cp",
                        classPath(RdmaVerbs.class),
                        "-Djava.library.path=" + libraries,
                        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");
        };
    }

    /** With the jar of the class first. */
    private static String classPath(Class<?> first) {
        String location =
                first.getProtectionDomain().getCodeSource().getLocation().getPath();
        return location + File.pathSeparator + System.getProperty("java.class.path");
    }
}
