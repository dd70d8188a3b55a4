// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.Netem;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Jupiter's side of {@code @SoftRoce}: checks that the tests run on a device, injects the device, applies the faults of
 * the network, and looks for leaks.
 */
final class InGuest
        implements ExecutionCondition,
                ParameterResolver,
                BeforeAllCallback,
                AfterAllCallback,
                BeforeEachCallback,
                AfterEachCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(InGuest.class);

    private static Optional<SoftRoce> annotation(ExtensionContext context) {
        return context.getElement().flatMap(element -> AnnotationSupport.findAnnotation(element, SoftRoce.class));
    }

    private static Netem.Profile netem(@Nullable ExtensionContext context) {
        for (ExtensionContext up = context; up != null; up = up.getParent().orElse(null)) {
            Optional<SoftRoce> found = annotation(up);
            if (found.isPresent()) {
                return found.get().netem();
            }
        }
        return Netem.Profile.NONE;
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Optional<SoftRoce> annotation = annotation(context);
        if (annotation.isPresent() && !mayRunHere(annotation.get())) {
            throw new IllegalStateException("a test with @SoftRoce was about to run on this machine: include the test"
                    + " engine rdma4j-soft-roce, or set -D" + Backend.PROPERTY + "=host if this machine has a device");
        }
        return ConditionEvaluationResult.enabled("the test runs where its device is");
    }

    private static boolean mayRunHere(SoftRoce annotation) {
        if (System.getenv().getOrDefault("RDMA4J_GUEST", "").equals("1")) {
            return true;
        }
        List<Backend> possible = List.of(annotation.backend());
        try {
            return possible.isEmpty()
                    ? Backend.resolve(Optional.empty()) == Backend.HOST
                    : possible.contains(Backend.HOST);
        } catch (TestbedException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        begin(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        begin(context);
    }

    private static void begin(ExtensionContext context) throws Exception {
        SoftRoce annotation = annotation(context).orElse(null);
        if (annotation != null) {
            if (annotation.failOnLeaks()) {
                context.getStore(NAMESPACE).put(OpenResources.LeakSearch.class, new OpenResources.LeakSearch());
            }
            Netem.Profile before = netem(context.getParent().orElse(null));
            change(annotation.nodes(), before, annotation.netem());
        }
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        OpenResources.LeakSearch search =
                context.getStore(NAMESPACE).get(OpenResources.LeakSearch.class, OpenResources.LeakSearch.class);
        if (search != null) {
            search.look(context.getDisplayName());
        }
        end(context);
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        end(context);
    }

    private static void end(ExtensionContext context) throws Exception {
        SoftRoce annotation = annotation(context).orElse(null);
        if (annotation != null) {
            Netem.Profile before = netem(context.getParent().orElse(null));
            change(annotation.nodes(), annotation.netem(), before);
        }
        OpenResources.LeakSearch search =
                context.getStore(NAMESPACE).remove(OpenResources.LeakSearch.class, OpenResources.LeakSearch.class);
        if (search != null) {
            search.end(context.getDisplayName());
        }
    }

    /** Changes the queueing discipline of the Ethernet on all nodes, from the first node. */
    private static void change(int nodes, Netem.Profile from, Netem.Profile to)
            throws TestbedException, InterruptedException {
        if (from == to) {
            return;
        }
        if (nodes < 2) {
            throw new IllegalStateException("netem = " + (to == Netem.Profile.NONE ? from : to)
                    + " needs nodes = 2 or more: a frame of a node to itself passes no queue");
        }
        String change = to == Netem.Profile.NONE
                ? "tc qdisc del dev eth0 root"
                : "tc qdisc replace dev eth0 root " + to.netem();
        String unused = Tool.run(change.split(" "));
        for (int node = 2; node <= nodes; node++) {
            unused = Tool.run(("testbed-node " + node + " -- " + change).split(" "));
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == SoftRoceDevice.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return SoftRoceDevice.first();
    }
}
