// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.Netem;
import io.github.rdma4j.testbed.Testbed;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs the tests of a class, or one test, in a guest kernel with an RDMA device. The guest sees this machine's files;
 * files that the tests write are lost with the guest. Classes whose attributes are equal share one guest and one JVM in
 * the guest.
 *
 * <p>The annotation is inherited by subclasses and applies to nested classes. It may stand on another annotation. The
 * annotation of a method replaces the annotation of its class; the class is then set up in both guests.
 *
 * <p>A test method or a constructor can have a parameter of the type {@link SoftRoceDevice}: the device and its
 * address.
 *
 * <p>{@link Backend} chooses where the tests run, unless {@link #backend} excludes the choice. On {@link Backend#HOST}
 * the tests run in this JVM, and only {@link #failOnLeaks} has an effect. The system property {@code
 * rdma4j.testbed.kernel} replaces the default of {@link #kernel}. The system property {@code rdma4j.testbed.timeout}
 * limits tests in a guest without Jupiter's {@code @Timeout}, in seconds; the default is 600.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(InGuest.class)
public @interface SoftRoce {
    /**
     * The guest's kernel, such as {@code "6.12"} or {@code "6.1-arm64"}, as for {@link Testbed.Builder#kernel}; empty for the
     * default of the testbed.
     */
    String kernel() default "";

    /**
     * The number of guests on one Ethernet, 1 to 8. The tests run on the first guest, and reach the other guests with
     * {@code testbed-node}.
     */
    int nodes() default 1;

    /** The memory of each guest in MiB, at least 256; 0 for the default, 3072. */
    int memory() default 0;

    /** The RDMA device of the guest. */
    Testbed.Device device() default Testbed.Device.RXE;

    /** The number of ports of the InfiniBand device of each guest, 1 or 2, as for {@link Testbed.Builder#ports}. */
    int ports() default 1;

    /** The backends on which the tests can run; empty for all. */
    Backend[] backend() default {};

    /** The faults of the frames between the nodes while the class runs. */
    Netem.Profile netem() default Netem.Profile.NONE;

    /**
     * Whether the class fails if it leaks: if, after its last test, the JVM has CM ids, queue pairs, completion queues,
     * shared receive queues, memory regions, protection domains or descriptors that did not exist before its first
     * test. The kernel lists a CM id only after the id is bound to a device; until then the descriptor of its event
     * channel counts. The failure names the first test after which each leak existed.
     */
    boolean failOnLeaks() default false;
}
