// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.RdmaCm;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Class paths that work, and those that do not. */
class ClassPathTest {
    private static final List<String> PATH =
            List.of(System.getProperty("java.class.path").split(File.pathSeparator));

    @TempDir
    private Path directory;

    private static String pathOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().getPath();
    }

    /** What the check says of the class path with {@code first} in front of all else; empty when it has nothing to say. */
    private static String check(Path... first) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String each : Stream.concat(Stream.of(first).map(Path::toString), PATH.stream())
                .toList()) {
            urls.add(url(each));
        }
        try (URLClassLoader loader =
                new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            loader.loadClass(ClassPath.class.getName()).getMethod("check").invoke(null);
            return "";
        } catch (InvocationTargetException e) {
            assertThat(e).hasCauseInstanceOf(IOException.class);
            return Objects.requireNonNull(Objects.requireNonNull(e.getCause()).getMessage());
        }
    }

    private static URL url(String path) throws MalformedURLException {
        return Path.of(path).toUri().toURL();
    }

    @Test
    void theClassPathOfTheTestsIsInOrder() throws Exception {
        assertThat(check()).isEmpty();
    }

    @Test
    void disniInFrontIsToBeMoved() throws Exception {
        String theirs = pathOf(RdmaCm.class);
        assertThat(check(Path.of(theirs)))
                .startsWith("com.ibm.disni.verbs.impl.RdmaProviderNat comes from " + theirs)
                .contains("move " + theirs + " behind");
    }

    /** A jar that has a part of DiSNI, as an application's own jar may have. */
    @Test
    void aPartOfDisniInFrontIsNamed() throws Exception {
        Path affinity = Path.of("com/ibm/disni/util/NativeAffinity.class");
        Path copy = Files.createDirectories(directory.resolve(affinity).getParent())
                .resolve(affinity.getFileName().toString());
        try (URLClassLoader disni = new URLClassLoader(new URL[] {url(pathOf(RdmaCm.class))}, null);
                InputStream theirs = disni.getResourceAsStream(affinity.toString())) {
            Files.copy(Objects.requireNonNull(theirs), copy);
        }
        assertThat(check(directory))
                .startsWith("com.ibm.disni.util.NativeAffinity comes from " + directory)
                .contains("stands before " + pathOf(ClassPath.class));
    }

    @Test
    void aMergedJarWithTheWrongClassIsRecognised() {
        assertThat(ClassPath.complaint("Name", "/all.jar", "/all.jar"))
                .startsWith("Name in /all.jar is DiSNI's own class")
                .contains("rdma4j-disni-all");
    }
}
