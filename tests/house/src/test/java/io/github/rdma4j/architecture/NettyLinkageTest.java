// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.rdma4j.internal.netty.MessageStream;
import io.github.rdma4j.netty.NettyMemory;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The channels and buffers are compiled against one Netty and run with others: what they call of Netty is there. */
class NettyLinkageTest {
    /** Needs Netty 4.2, and is never loaded without. */
    private static final String HANDLERS = ".*\\.RdmaIoHandler?(\\$.*)?";

    @ParameterizedTest
    @CsvSource({"netty-4.1, false", "netty-4.1-oldest, false", "netty-4.2-oldest, true"})
    void nothingIsMissing(String jars, boolean hasHandlers) throws Exception {
        List<URL> urls = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("..", "guests", "target", jars))) {
            for (Path jar : files.toList()) {
                urls.add(jar.toUri().toURL());
            }
        }
        ClassFileImporter importer = new ClassFileImporter();
        try (URLClassLoader netty =
                new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            List<AccessTarget> named =
                    importer.importPackagesOf(RdmaSocketChannel.class, MessageStream.class, NettyMemory.class).stream()
                            .filter(type -> hasHandlers || !type.getName().matches(HANDLERS))
                            .flatMap(type -> type.getAccessesFromSelf().stream())
                            .<AccessTarget>map(access -> access.getTarget())
                            .filter(target -> isNettys(target.resolveMember()
                                    .map(member -> ((JavaMember) member).getOwner())
                                    .orElse(target.getOwner())))
                            .distinct()
                            .toList();
            assertThat(named).hasSizeGreaterThan(100).allMatch(target -> exists(target, netty));
        }
    }

    private static boolean isNettys(JavaClass type) {
        return type.getName().startsWith("io.netty.");
    }

    /** A class of ours inherits what it calls. */
    private static boolean exists(AccessTarget target, ClassLoader netty) {
        JavaClass owner = target.getOwner();
        return Stream.of(Stream.of(owner), owner.getAllRawSuperclasses().stream(), owner.getAllRawInterfaces().stream())
                .flatMap(types -> types)
                .filter(NettyLinkageTest::isNettys)
                .anyMatch(type -> declares(type.getName(), signature(target), netty));
    }

    private static boolean declares(String type, String signature, ClassLoader netty) {
        try {
            return has(Class.forName(type, false, netty), signature);
        } catch (ClassNotFoundException missing) {
            return false;
        }
    }

    private static String signature(AccessTarget target) {
        if (target instanceof AccessTarget.CodeUnitAccessTarget code) {
            String parameters = code.getRawParameterTypes().stream()
                    .map(JavaClass::getName)
                    .collect(Collectors.joining(",", "(", ")"));
            return target.getName() + parameters + code.getRawReturnType().getName();
        }
        return target.getName()
                + ((AccessTarget.FieldAccessTarget) target).getRawType().getName();
    }

    private static String names(Class<?>... types) {
        return Arrays.stream(types).map(Class::getName).collect(Collectors.joining(",", "(", ")"));
    }

    /** In a class, or in what it extends and implements. */
    private static boolean has(Class<?> type, String signature) {
        Stream<String> fields = Arrays.stream(type.getDeclaredFields())
                .map(found -> found.getName() + found.getType().getName());
        Stream<String> constructors = Arrays.stream(type.getDeclaredConstructors())
                .map(found -> "<init>" + names(found.getParameterTypes()) + "void");
        Stream<String> methods = Arrays.stream(type.getDeclaredMethods())
                .map(found -> found.getName()
                        + names(found.getParameterTypes())
                        + found.getReturnType().getName());
        return Stream.of(fields, constructors, methods)
                        .flatMap(members -> members)
                        .anyMatch(signature::equals)
                || Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                        .anyMatch(up -> has(up, signature));
    }
}
