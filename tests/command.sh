# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# ./rdma4j test, which reads this file: sets up what the tests need, and runs them.

run_tests() {
    # Every compilation checks the comments; making pages of them takes a tenth of the time of all tests.
    local -a command options=(-Dmaven.javadoc.skip) libraries=(--rdma-core) devices=(--device siw)
    local left_out='' uml=0
    case ${1:-} in
        --kernel) run_tests_on_kernels "${@:2}" ;;
        --arch) run_tests_on_processor "${@:2}" ;;
        --quick) options=(-Dquick) && shift ;;
        --all) options=(-Dnot.now=none -Derror.prone.excluded=none
            -Derror.prone.checks=-XepDisableWarningsInGeneratedCode -Dsoak.minutes=5 -Drdma4j.load.rounds=20000
            -Drdma4j.messages=20000 -Drdma4j.scripts=20 -Drdma4j.fuzz.seconds=20) libraries+=(--newer-rdma-core) && shift ;;
    esac
    require_packages test
    build_testbed
    testbed_command
    # Before the build, which takes minutes: without a testbed the tests cannot pass.
    if [[ ${options[*]} != -Dquick ]]; then
        if [[ $(qemu-system-x86_64 -device help) == *'"pvrdma"'* ]]; then
            devices+=(--device pvrdma)
        else
            echo "rdma4j: this QEMU has no device pvrdma (QEMU 9.1 lost it): its tests are left out" >&2
            left_out+='| pvrdma'
        fi
        "${command[@]}" setup --opensm "${libraries[@]}" --docker "${devices[@]}"
    fi
    if ((EUID != 0)) && [[ -z ${DOCKER_HOST:-} && ! -w /var/run/docker.sock ]]; then
        echo "rdma4j: no Docker engine runs that this user may use, and only root can start one: the tests of" \
            "containers are left out" >&2
        options+=(-Dcontainers.skip=true)
    fi
    # Its guests run native code: building it, once, takes less time than it saves.
    if [[ ${RDMA4J_TESTBED:-uml} == uml ]]; then
        "${command[@]}" setup --on uml && uml=1 || echo "rdma4j: the kernel of User Mode Linux cannot be built here:" \
            "all guests of the tests run in QEMU, which takes three times as long, and the tests of InfiniBand are left out" >&2
    fi
    if ((uml)); then
        # A guest has one processor and waits a part of its time, and up to three modules have guests at the same time.
        options+=("-Dguests=$(($(nproc) / 2 + 1))")
    else
        left_out+=' | ib'
    fi
    [[ -z $left_out ]] || options+=(-Dleft.out="$left_out")
    "${command[@]}" run -- rdma link show
    cd "$root"
    # What was compiled with fewer checks, as the testbed just now, is compiled again: Maven looks at the sources only.
    [[ -e rxe-testbed/testbed/target/test-classes ]] || rm -rf rxe-testbed/testbed/target/maven-status
    [[ ${options[*]} != *-Derror.prone* ]] || find . -path '*/target/maven-status' -prune -exec rm -rf {} +
    # Three modules at a time: while one boots a guest or waits for a protocol, the others have the processors.
    exec mvn -B -T 3 verify ${options[@]+"${options[@]}"} "$@"
}

# The tests that meet the kernel, on an emulated processor.
run_tests_on_processor() {
    case ${1:-} in
        arm64) run_tests_on_kernels 6.1-arm64 "${@:2}" ;;
        arm64-16k) run_tests_on_kernels 6.12-arm64-16k "${@:2}" ;;
        *)
            echo "rdma4j: test --arch takes one of arm64 and arm64-16k" >&2
            exit "$EXIT_USAGE"
            ;;
    esac
}

# run_unit_tests_on_processor SETUP-OPTION... -- MAVEN-OPTION...: the unit tests of what a program has of rdma4j, each JVM
# emulated on this machine's kernel, without a guest.
run_unit_tests_on_processor() {
    local -a setup=()
    local jvm
    while [[ $1 != -- ]]; do
        setup+=("$1")
        shift
    done
    jvm=$("${command[@]}" setup "${setup[@]}" --user-mode)
    mvn -B -T 2 verify -P '!checks' -am -DskipITs "-Djvm=$jvm" '-Dnot.now=nightly | not-emulated' \
        -pl uverbs-ioctl/netty,cm-protocol/netty,cm-protocol/nio,cm-protocol/disni,mcast-sm-client "${@:2}"
}

# The tests that meet the kernel, with other kernels than the default.
run_tests_on_kernels() {
    local kernels=${1:-} kernel module left_out status=0 reports=$root/tests/target/kernels it=io/github/rdma4j/it
    local -a command guest tests modules
    case $kernels in
        all) kernels='6.1 6.12 7.2 6.1-arm64 6.12-arm64-16k' ;;
        6.1 | 6.12 | 7.2 | 6.1-arm64 | 6.12-arm64-16k) ;;
        *)
            echo "rdma4j: test --kernel takes one of 6.1, 6.12, 7.2, 6.1-arm64, 6.12-arm64-16k and all" >&2
            exit "$EXIT_USAGE"
            ;;
    esac
    shift
    require_packages test
    build_testbed
    testbed_command
    cd "$root"
    for kernel in $kernels; do
        guest=(--kernel "${kernel%%-*}")
        [[ $kernel != *-* ]] || guest+=(--arch "${kernel#*-}")
        "${command[@]}" setup "${guest[@]}"
        modules=(tests/kernel tests/sockets)
        [[ $kernel == *-* ]] || modules+=(tests/interop tests/examples rxe-testbed/model)
        rm -rf "${modules[@]/%//target/failsafe-reports}" "$reports/$kernel"
        mkdir -p "$reports/$kernel"
        left_out='| pvrdma'
        if [[ $kernel == *-* ]]; then
            # Emulation is slow: the tests that meet the structures of the kernel, in one guest at a time.
            tests=(-T 1 "-Dit.test=$it/cm/*KernelIT,$it/verbs/*KernelIT,$it/rsocket/*KernelIT"
                -Dfailsafe.failIfNoSpecifiedTests=false)
            left_out+=' | siw | ib'
            echo 'only the tests of the connection manager, of verbs and of streams' > "$reports/$kernel/note"
        else
            tests=(-T 2)
            if ! "${command[@]}" setup "${guest[@]}" --device siw --device ib; then
                left_out+=' | siw | ib'
                echo 'without soft-iWARP and InfiniBand, whose modules cannot be built here' > "$reports/$kernel/note"
            fi
        fi
        # And the module of the program that reads the reports.
        mvn -B verify -P '!checks' -pl "$(IFS=, && echo "${modules[*]}"),tests/house" -am "${tests[@]}" \
            "-Drdma4j.testbed.kernel=$kernel" -DskipUnitTests -Dleft.out="$left_out" -Dmaven.test.failure.ignore "$@" || status=$?
        for module in "${modules[@]}"; do
            cp "$module"/target/failsafe-reports/TEST-*.xml "$reports/$kernel"
        done
        if [[ $kernel == 6.1-arm64 ]]; then
            run_unit_tests_on_processor "${guest[@]}" -- "$@" || status=$?
        fi
        "${command[@]}" run "${guest[@]}" --no-rxe -- uname -r > "$reports/$kernel/version"
    done
    "$java" -cp tests/house/target/test-classes io.github.rdma4j.kernels.KernelMatrix "$reports" docs/kernels.md || status=$?
    exit "$status"
}
