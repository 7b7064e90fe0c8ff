package dev.ratelimit.compat;

import java.util.List;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that every class, method and field that the library was compiled against exists
 * on this line, whether or not another test comes by it.
 * <p>
 * Every library that is optional to the library has to be on the class path.
 */
class LinkageTests {

	private static JavaClasses library;

	@BeforeAll
	static void importLibrary() {
		library = new ClassFileImporter().importPackages("dev.ratelimit")
			.that(resideOutsideOfPackage(LinkageTests.class.getPackageName()));
	}

	@Test
	void everySuperTypeExists() {
		Stream<JavaClass> superTypes = library.stream()
			.flatMap((type) -> Stream.concat(type.getAllRawSuperclasses().stream(),
					type.getAllRawInterfaces().stream()));
		assertThat(superTypes.filter((type) -> !type.isFullyImported())).isEmpty();
	}

	@Test
	void everyMethodAndFieldExists() {
		List<AccessTarget> targets = library.stream()
			.flatMap((type) -> type.getAccessesFromSelf().stream())
			.<AccessTarget>map(JavaAccess::getTarget)
			.filter((target) -> !isOfTheJdk(target.getOwner()))
			.toList();
		assertThat(targets).hasSizeGreaterThan(1000);
		assertThat(targets.stream()
			.filter((target) -> target.resolveMember().isEmpty())
			.map(AccessTarget::getFullName)
			.distinct()
			.sorted()).isEmpty();
	}

	private static boolean isOfTheJdk(JavaClass type) {
		return type.isArray() || type.getPackageName().startsWith("java.");
	}

}
