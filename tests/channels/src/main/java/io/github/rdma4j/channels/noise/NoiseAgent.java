// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.noise;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** An agent for {@code -javaagent}: each method of the streams, of the NIO provider and of Netty's transport begins with noise. */
public final class NoiseAgent {
    private static final List<String> PACKAGES = List.of(
            "io/github/rdma4j/internal/nio/",
            "io/github/rdma4j/internal/rsocket/",
            "io/github/rdma4j/internal/netty/",
            "io/github/rdma4j/rsocket/",
            "io/github/rdma4j/netty/transport/");

    private static final String NOISE = Noise.class.getName().replace('.', '/');

    private NoiseAgent() {}

    /** Called by the JVM. */
    public static void premain(@Nullable String argument, Instrumentation instrumentation) {
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte @Nullable [] transform(
                    @Nullable ClassLoader loader,
                    @Nullable String name,
                    @Nullable Class<?> redefined,
                    @Nullable ProtectionDomain domain,
                    byte[] bytes) {
                return name != null && PACKAGES.stream().anyMatch(name::startsWith) ? noisy(bytes) : null;
            }
        });
    }

    private static byte[] noisy(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new Methods(writer), 0);
        return writer.toByteArray();
    }

    private static final class Methods extends ClassVisitor {
        Methods(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access, String name, String type, @Nullable String generic, String @Nullable [] thrown) {
            MethodVisitor next = super.visitMethod(access, name, type, generic, thrown);
            boolean hasCode = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
            return hasCode && !name.startsWith("<") ? new Begin(next) : next;
        }
    }

    private static final class Begin extends MethodVisitor {
        Begin(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            super.visitMethodInsn(Opcodes.INVOKESTATIC, NOISE, "here", "()V", false);
        }
    }
}
