// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.support.Program;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Makes the archive of classes (CDS) of the JVMs that tests start by {@link Program#java}, which saves a third of such a start, before
 * the first test. The archive lasts until a jar changes. Without an archive the JVMs only start slower.
 */
public final class ProgramArchive implements LauncherSessionListener {
    /** Jars whose classes most programs need. */
    private static final String NEEDED = ".*/(rdma4j|jnr|jffi|asm|netty-(buffer|common|transport))[^/]*\\.jar";

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        String name = System.getProperty(Program.ARCHIVE, "");
        if (name.isEmpty()) {
            return;
        }
        Path archive = Path.of(name);
        Path classPath = Path.of(name + ".classpath");
        List<String> jars =
                Program.classPath().filter(entry -> entry.endsWith(".jar")).toList();
        try {
            if (!isCurrent(archive, classPath, jars)) {
                make(archive, jars);
                Files.write(classPath, jars);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make " + archive, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isCurrent(Path archive, Path classPath, List<String> jars) throws IOException {
        if (!Files.exists(archive)
                || !Files.exists(classPath)
                || !Files.readAllLines(classPath).equals(jars)) {
            return false;
        }
        FileTime made = Files.getLastModifiedTime(archive);
        for (String jar : jars) {
            if (Files.getLastModifiedTime(Path.of(jar)).compareTo(made) >= 0) {
                return false;
            }
        }
        return true;
    }

    private static void make(Path archive, List<String> jars) throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"));
        TreeSet<String> classes = new TreeSet<>();
        for (String jar : jars) {
            if (jar.matches(NEEDED)) {
                addClasses(jar, classes);
            }
        }
        Path list = Path.of(archive + ".list");
        Files.copy(java.resolve("lib/classlist"), list, StandardCopyOption.REPLACE_EXISTING);
        Files.write(list, classes, StandardOpenOption.APPEND);
        Program.run(
                java.resolve("bin/java").toString(),
                "-Xshare:dump",
                "-XX:SharedClassListFile=" + list,
                "-XX:SharedArchiveFile=" + archive,
                "-cp",
                String.join(File.pathSeparator, jars));
    }

    private static void addClasses(String jar, Set<String> classes) throws IOException {
        try (JarFile file = new JarFile(jar);
                Stream<String> names = file.stream().map(entry -> entry.getName())) {
            names.filter(name -> name.endsWith(".class") && !name.contains("-info"))
                    .filter(name -> !name.startsWith("META-INF"))
                    .forEach(name -> classes.add(name.substring(0, name.length() - ".class".length())));
        }
    }
}
